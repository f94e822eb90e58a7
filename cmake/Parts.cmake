# SPDX-FileCopyrightText: Pipeloom contributors
# SPDX-License-Identifier: Apache-2.0
#
# Which parts are built. Sets PIPELOOM_HAS_<PART> for EXECUTOR, CUDA, GLOO, CLI, DESIGNER, TESTS, BENCHMARKS and FUZZ; core is always built.

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
set(PipeloomCuda_FOUND FALSE)
set(PipeloomCuda_WHY_NOT "it is a part of the executor, which is off")
if(PipeloomTorch_FOUND AND NOT PIPELOOM_CUDA STREQUAL "OFF")
    find_package(PipeloomCuda QUIET)
endif()
find_package(CLI11 QUIET)
find_package(Qt6 QUIET COMPONENTS Core Test)
find_package(benchmark QUIET)
find_package(Qt6 QUIET OPTIONAL_COMPONENTS Widgets Svg Charts)
# The fonts that the window carries with it, so that it looks the same everywhere.
find_path(PIPELOOM_INTER_DIR Inter-Regular.otf PATHS /usr/share/fonts/opentype/inter NO_DEFAULT_PATH)
find_path(PIPELOOM_DEJAVU_DIR DejaVuSansMono.ttf PATHS /usr/share/fonts/truetype/dejavu NO_DEFAULT_PATH)

set(is_clang FALSE)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(is_clang TRUE)
endif()

pipeloom_part(EXECUTOR "executor" AUTO "${PipeloomTorch_FOUND}" "${PipeloomTorch_WHY_NOT}")
# Only names of types are taken from these headers: gloo itself is inside LibTorch.
find_path(PIPELOOM_GLOO_INCLUDE gloo/transport/device.h)
set(gloo_found FALSE)
if(PipeloomTorch_FOUND AND PIPELOOM_GLOO_INCLUDE)
    set(gloo_found TRUE)
endif()
pipeloom_part(GLOO "gloo" AUTO ${gloo_found} "runs on processes need the executor and the headers of gloo: install libgloo-dev")
pipeloom_part(CUDA "cuda" AUTO "${PipeloomCuda_FOUND}" "${PipeloomCuda_WHY_NOT}")
pipeloom_part(CLI "cli" AUTO "${CLI11_FOUND}" "CLI11 was not found: install libcli11-dev")
set(designer_found FALSE)
if(Qt6Widgets_FOUND AND Qt6Svg_FOUND AND Qt6Charts_FOUND AND PIPELOOM_INTER_DIR AND PIPELOOM_DEJAVU_DIR)
    set(designer_found TRUE)
endif()
pipeloom_part(DESIGNER "designer" AUTO ${designer_found}
    "Qt 6 Widgets, Svg and Charts and the fonts are needed: install qt6-base-dev qt6-svg-dev qt6-charts-dev qt6-declarative-dev fonts-inter fonts-dejavu-core")
pipeloom_part(TESTS "tests" AUTO "${Qt6_FOUND}" "Qt 6 Test was not found: install qt6-base-dev")
pipeloom_part(BENCHMARKS "benchmarks" AUTO "${benchmark_FOUND}" "Google Benchmark was not found: install libbenchmark-dev")
pipeloom_part(FUZZ "fuzz" OFF ${is_clang} "libFuzzer needs clang: configure with the preset fuzz, or with CMAKE_CXX_COMPILER=clang++")

if(PIPELOOM_HAS_FUZZ)
    # Coverage, by which libFuzzer finds its way.
    target_compile_options(pipeloom_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
