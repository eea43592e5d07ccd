// What an AI may do to the machine and to the code of others.
#pragma once
#include <link.h>

// Forbid all system calls but those that an AI needs from here on; see forbidden_calls.cpp.
extern "C" int tournament_forbid_calls(int readers, int socket);

// If system calls are forbidden: let nobody unmap, replace or unprotect the memory of a loaded file any more. Linux has
// this since 6.10; an older kernel refuses, and then nothing happens.
void seal_file(const dl_phdr_info *info);
