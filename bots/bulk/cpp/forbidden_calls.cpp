// The system calls that an AI may make, as a filter that the kernel runs (seccomp). Any other call is a SIGSYS.
// An AI needs memory, the clock, and what the C library does before it prints; what it prints goes nowhere. It may not
// make memory executable or move it over other memory: so it cannot change the code of other AIs.
#include "forbidden_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fcntl.h>
#include <termios.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace {

#if defined(__x86_64__)
constexpr unsigned MACHINE = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned MACHINE = AUDIT_ARCH_AARCH64;
#else
#error "the system calls of this machine are not known here"
#endif

// Newer than the headers of some systems.
#ifndef SYS_mseal
#define SYS_mseal 462
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

constexpr int ALLOWED[] = {
    SYS_munmap, SYS_madvise, SYS_brk, SYS_futex, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_exit_group,
    SYS_exit, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_getpid, SYS_gettid, SYS_fstat, SYS_newfstatat, SYS_sched_yield,
};

// What the loader and Python need besides.
constexpr int ALLOWED_TO_READERS[] = {
    SYS_read, SYS_pread64, SYS_lseek, SYS_close, SYS_getdents64, SYS_getrandom, SYS_readlinkat, SYS_getcwd,
    SYS_fcntl, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_faccessat, SYS_statx, SYS_sysinfo,
    SYS_sched_getaffinity, SYS_statfs, SYS_fstatfs, SYS_mseal,
    SYS_epoll_create1,  // Python tries it when a module is imported
#if defined(__x86_64__)
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_time,
#endif
};

bool forbidden = false;

constexpr unsigned NUMBER = offsetof(seccomp_data, nr);
constexpr unsigned argument(int which) { return offsetof(seccomp_data, args) + 8 * which; }

class Filter {
  public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0));
        code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
        load(NUMBER);
    }

    void allow(int number) {
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
        code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }

    // Allow a call if an argument has one of these values.
    void allow_if(int number, int which, std::vector<unsigned> values) {
        const auto steps = static_cast<unsigned char>(2 * values.size() + 2);
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, steps));
        load(argument(which));
        for (unsigned value : values) {
            code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
            code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
        }
        load(NUMBER);
    }

    struct Bits {
        int which;
        unsigned bits;
    };

    // Allow a call if each of these arguments has none of these bits.
    void allow_without(int number, std::vector<Bits> arguments) {
        const auto steps = static_cast<unsigned char>(2 * arguments.size() + 2);
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, steps));
        auto left = static_cast<unsigned char>(2 * arguments.size());
        for (const Bits &one : arguments) {
            load(argument(one.which));
            left = static_cast<unsigned char>(left - 2);
            code.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, one.bits, left + 1, 0));
        }
        code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
        load(NUMBER);
    }

    int install() {
        code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
        sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
    }

  private:
    void load(unsigned place) { code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place)); }

    std::vector<sock_filter> code;
};

}  // namespace

void seal_file(const dl_phdr_info *info) {
    if (!forbidden) return;
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto &part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + part.p_vaddr, first = start / page * page;
        syscall(SYS_mseal, first, start + part.p_memsz - first, 0);
    }
}

// Forbid all system calls but these from here on; `readers` may also open files to read them. On `socket` programs over
// TCP are asked; it is -1 if there are none. Returns 0, or the errno if the kernel refused.
extern "C" int tournament_forbid_calls(int readers, int socket) {
    if (!forbidden) {
        forbidden = true;
        auto seal = [](dl_phdr_info *info, size_t, void *) {
            seal_file(info);
            return 0;
        };
        dl_iterate_phdr(seal, nullptr);
    }
    Filter filter;
    for (int number : ALLOWED) filter.allow(number);
    if (socket >= 0) {
        filter.allow_if(SYS_write, 0, {1, 2, static_cast<unsigned>(socket)});
        filter.allow_if(SYS_read, 0, {static_cast<unsigned>(socket)});
    } else {
        filter.allow_if(SYS_write, 0, {1, 2});
    }
    filter.allow_if(SYS_writev, 0, {1, 2});
    filter.allow_if(SYS_ioctl, 1, {TCGETS});
    filter.allow_if(SYS_tgkill, 0, {static_cast<unsigned>(getpid())});  // abort() raises its own signal
    filter.allow_without(SYS_mremap, {{3, MREMAP_FIXED | MREMAP_DONTUNMAP}});
    if (readers) {
        for (int number : ALLOWED_TO_READERS) filter.allow(number);
        constexpr unsigned WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
        filter.allow_if(SYS_prctl, 0, {PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP});  // for a second, stricter filter
        filter.allow_without(SYS_openat, {{2, WRITES}});
#if defined(__x86_64__)
        filter.allow_without(SYS_open, {{1, WRITES}});
#endif
        filter.allow_without(SYS_mprotect, {{2, PROT_EXEC}});
        filter.allow_without(SYS_mmap, {{2, PROT_EXEC}});
        filter.allow_without(SYS_mmap, {{2, PROT_WRITE}, {3, MAP_ANONYMOUS}});  // code from a file
    } else {
        filter.allow_without(SYS_mmap, {{2, PROT_EXEC}, {3, MAP_FIXED | MAP_FIXED_NOREPLACE}});
    }
    return filter.install();
}
