# SPDX-FileCopyrightText: Pipeloom contributors
# SPDX-License-Identifier: Apache-2.0
#
# One Qt Test program for each tests/**/*_test.cpp, named by its path: tests/core/block/bound_test.cpp is the CTest
# `core/block/bound_test` and the target `core-block-bound_test`. The file ends with QTEST_APPLESS_MAIN(TheClass) and
# #include "bound_test.moc". Qt's keywords are off (LibTorch and core use `slots` as a name): write `private Q_SLOTS:`.

set(PIPELOOM_TEST_TIMEOUT 120 CACHE STRING "Seconds that one test program may take")
if(PIPELOOM_SANITIZE)
    math(EXPR test_timeout "${PIPELOOM_TEST_TIMEOUT} * 5")
else()
    set(test_timeout ${PIPELOOM_TEST_TIMEOUT})
endif()

set(supp ${CMAKE_CURRENT_SOURCE_DIR}/sanitizers)
# Qt Test has a limit of its own for each function, which must not end a slow one first.
set(test_environment
    "QTEST_FUNCTION_TIMEOUT=${test_timeout}000"
    "ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1"
    "LSAN_OPTIONS=suppressions='${supp}/leaks.supp':print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=suppressions='${supp}/threads.supp':halt_on_error=1:second_deadlock_stack=1")

add_custom_target(pipeloom_tests)

function(pipeloom_add_test source)
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "\\.cpp$" "" name ${path})
    string(REPLACE "/" "-" target ${name})
    get_filename_component(stem ${source} NAME_WE)

    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE pipeloom_core Qt6::Test)
    target_compile_definitions(${target} PRIVATE PIPELOOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" QT_NO_KEYWORDS QT_NO_FOREACH)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_dependencies(pipeloom_tests ${target})

    # moc as an ordinary step: AUTOMOC would add a target and an empty source to each of many small programs.
    set(moc_folder ${CMAKE_CURRENT_BINARY_DIR}/moc/${target})
    file(MAKE_DIRECTORY ${moc_folder})
    qt6_generate_moc(${source} ${moc_folder}/${stem}.moc)
    target_sources(${target} PRIVATE ${moc_folder}/${stem}.moc)
    set_property(GLOBAL APPEND PROPERTY PIPELOOM_MOC_FILES ${moc_folder}/${stem}.moc)
    target_include_directories(${target} PRIVATE ${moc_folder})

    add_test(NAME ${name} COMMAND ${target})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${test_timeout} ENVIRONMENT "${test_environment}")
    set(PIPELOOM_TEST_TARGET ${target} PARENT_SCOPE)
    set(PIPELOOM_TEST_NAME ${name} PARENT_SCOPE)
endfunction()

# core alone
pipeloom_sources(tests "core/*_test.cpp")
foreach(source IN LISTS tests)
    pipeloom_add_test(${source})
endforeach()

# core and executor; those below tests/executor/torch see LibTorch too. They run threads of their own: two cores each.
if(TARGET pipeloom_executor)
    pipeloom_sources(tests "executor/*_test.cpp")
    foreach(source IN LISTS tests)
        pipeloom_add_test(${source})
        target_link_libraries(${PIPELOOM_TEST_TARGET} PRIVATE pipeloom_executor)
        set_tests_properties(${PIPELOOM_TEST_NAME} PROPERTIES PROCESSORS 2)
        if(source MATCHES "/tests/executor/torch/")
            target_link_libraries(${PIPELOOM_TEST_TARGET} PRIVATE PipeloomTorch::cpu)
            target_precompile_headers(${PIPELOOM_TEST_TARGET} REUSE_FROM pipeloom_executor_torch)
            target_compile_options(${PIPELOOM_TEST_TARGET} PRIVATE $<$<CONFIG:Debug>:-g1>)
            set_target_properties(${PIPELOOM_TEST_TARGET} PROPERTIES JOB_POOL_COMPILE torch)
        endif()
    endforeach()
endif()

# The command line: its functions are linked, and PIPELOOM_BINARY (a definition and an environment variable) is the program.
if(TARGET pipeloom)
    # moc does not see compile definitions, so what differs with the executor stands in two files.
    if(TARGET pipeloom_executor)
        pipeloom_sources(tests "app/*_test.cpp" EXCEPT "_without_executor_test")
    else()
        pipeloom_sources(tests "app/*_test.cpp" EXCEPT "_with_executor_test")
    endif()
    foreach(source IN LISTS tests)
        pipeloom_add_test(${source})
        target_link_libraries(${PIPELOOM_TEST_TARGET} PRIVATE pipeloom_cli)
        target_compile_definitions(${PIPELOOM_TEST_TARGET} PRIVATE PIPELOOM_BINARY="$<TARGET_FILE:pipeloom>")
        add_dependencies(${PIPELOOM_TEST_TARGET} pipeloom)
        set_tests_properties(${PIPELOOM_TEST_NAME} PROPERTIES
            PROCESSORS 2 ENVIRONMENT "${test_environment};PIPELOOM_BINARY=$<TARGET_FILE:pipeloom>")
    endforeach()
endif()

# The window: offscreen, each with settings of its own (tests/designer/window_test_main.h).
if(TARGET pipeloom_designer)
    pipeloom_sources(tests "designer/*_test.cpp")
    if(NOT TARGET pipeloom_executor)
        list(FILTER tests EXCLUDE REGEX "_with_executor_test[.]cpp$") # they start real runs
    endif()
    foreach(source IN LISTS tests)
        pipeloom_add_test(${source})
        target_link_libraries(${PIPELOOM_TEST_TARGET} PRIVATE pipeloom_designer)
        target_precompile_headers(${PIPELOOM_TEST_TARGET} REUSE_FROM pipeloom_designer)
        if(PIPELOOM_TEST_NAME STREQUAL "designer/window/program_test")
            add_dependencies(${PIPELOOM_TEST_TARGET} pipeloom-designer) # it starts the program
        endif()
        if(source MATCHES "_with_executor_test[.]cpp$")
            target_compile_definitions(${PIPELOOM_TEST_TARGET} PRIVATE PIPELOOM_BINARY="$<TARGET_FILE:pipeloom>")
            add_dependencies(${PIPELOOM_TEST_TARGET} pipeloom)
            set_tests_properties(${PIPELOOM_TEST_NAME} PROPERTIES PROCESSORS 2)
        endif()
        set_tests_properties(${PIPELOOM_TEST_NAME} PROPERTIES
            ENVIRONMENT "${test_environment};QT_QPA_PLATFORM=offscreen;QT_FONT_DPI=96")
    endforeach()
endif()

# What clang-tidy needs beside the sources.
get_property(moc_files GLOBAL PROPERTY PIPELOOM_MOC_FILES)
add_custom_target(pipeloom_generated DEPENDS ${moc_files})
