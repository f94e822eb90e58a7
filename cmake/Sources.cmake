# SPDX-FileCopyrightText: Pipeloom contributors
# SPDX-License-Identifier: Apache-2.0

# pipeloom_sources(RESULT pattern [EXCEPT regex]): the sources below the current folder whose name matches the pattern, as
# full paths. A new file is noticed at the next build. EXCEPT leaves out those whose path from here matches.
function(pipeloom_sources RESULT pattern)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "EXCEPT" "")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${pattern})
    if(arg_EXCEPT)
        list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
    endif()
    list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    set(${RESULT} ${sources} PARENT_SCOPE)
endfunction()
