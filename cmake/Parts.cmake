# SPDX-FileCopyrightText: Pipeloom contributors
# SPDX-License-Identifier: Apache-2.0
#
# Which parts are built. Sets PIPELOOM_HAS_<PART> for EXECUTOR, CLI, TESTS, BENCHMARKS and FUZZ; core is always built.

find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt 9 REQUIRED)

# pipeloom_part(PART title default found remedy): reads the option PIPELOOM_<PART>, sets PIPELOOM_HAS_<PART>.
# remedy says what is missing and what would turn the part on.
function(pipeloom_part PART title default found remedy)
    set(PIPELOOM_${PART} ${default} CACHE STRING "${title}: AUTO, ON or OFF")
    set_property(CACHE PIPELOOM_${PART} PROPERTY STRINGS AUTO ON OFF)
    set(wanted ${PIPELOOM_${PART}})

    set(on FALSE)
    if(wanted STREQUAL "AUTO" OR wanted)
        if(found)
            set(on TRUE)
            set(line "on")
        elseif(wanted STREQUAL "AUTO")
            set(line "off  ${remedy}")
        else()
            message(FATAL_ERROR "PIPELOOM_${PART} is ON, but: ${remedy}")
        endif()
    else()
        set(line "off  by choice: -DPIPELOOM_${PART}=AUTO turns it on")
    endif()

    set(PIPELOOM_HAS_${PART} ${on} PARENT_SCOPE)
    set_property(GLOBAL APPEND PROPERTY PIPELOOM_PARTS "${title}|${line}")
endfunction()

function(pipeloom_print_parts)
    get_property(parts GLOBAL PROPERTY PIPELOOM_PARTS)
    message(STATUS "Pipeloom ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}:")
    message(STATUS "  core        on")
    foreach(part IN LISTS parts)
        string(REPLACE "|" ";" part "${part}")
        list(GET part 0 title)
        list(GET part 1 line)
        string(LENGTH "${title}" length)
        math(EXPR blanks "12 - ${length}")
        string(REPEAT " " ${blanks} padding)
        message(STATUS "  ${title}${padding}${line}")
    endforeach()
endfunction()

if(NOT PIPELOOM_EXECUTOR STREQUAL "OFF")
    find_package(PipeloomTorch QUIET)
endif()
find_package(CLI11 QUIET)
find_package(Qt6 QUIET COMPONENTS Core Test)
find_package(benchmark QUIET)

set(is_clang FALSE)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(is_clang TRUE)
endif()

pipeloom_part(EXECUTOR "executor" AUTO "${PipeloomTorch_FOUND}" "${PipeloomTorch_WHY_NOT}")
pipeloom_part(CLI "cli" AUTO "${CLI11_FOUND}" "CLI11 was not found: install libcli11-dev")
pipeloom_part(TESTS "tests" AUTO "${Qt6_FOUND}" "Qt 6 Test was not found: install qt6-base-dev")
pipeloom_part(BENCHMARKS "benchmarks" AUTO "${benchmark_FOUND}" "Google Benchmark was not found: install libbenchmark-dev")
pipeloom_part(FUZZ "fuzz" OFF ${is_clang} "libFuzzer needs clang: configure with the preset fuzz, or with CMAKE_CXX_COMPILER=clang++")

if(PIPELOOM_HAS_FUZZ)
    # Coverage, by which libFuzzer finds its way.
    target_compile_options(pipeloom_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
