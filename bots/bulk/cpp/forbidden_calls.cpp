// The system calls that an AI may make, as a filter that the kernel runs (seccomp). Any other call is a SIGSYS.
// An AI needs memory, the clock, and what the C library does before it prints; what it prints goes nowhere.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
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

constexpr int ALLOWED[] = {
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_futex, SYS_clock_gettime,
    SYS_clock_getres, SYS_gettimeofday, SYS_exit_group, SYS_exit, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_getpid,
    SYS_gettid, SYS_fstat, SYS_newfstatat, SYS_sched_yield,
};

// What the loader and Python need besides.
constexpr int ALLOWED_TO_READERS[] = {
    SYS_read, SYS_pread64, SYS_lseek, SYS_close, SYS_getdents64, SYS_getrandom, SYS_readlinkat, SYS_getcwd,
    SYS_fcntl, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_faccessat, SYS_statx, SYS_sysinfo,
    SYS_sched_getaffinity, SYS_statfs, SYS_fstatfs,
    SYS_epoll_create1,  // Python tries it when a module is imported
#if defined(__x86_64__)
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_time,
#endif
};

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

    // Allow a call if an argument has none of these bits.
    void allow_without(int number, int which, unsigned bits) {
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 4));
        load(argument(which));
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
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

// Forbid all system calls but these from here on; `readers` may also open files to read them. On `socket` programs over
// TCP are asked; it is -1 if there are none. Returns 0, or the errno if the kernel refused.
extern "C" int tournament_forbid_calls(int readers, int socket) {
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
    if (readers) {
        for (int number : ALLOWED_TO_READERS) filter.allow(number);
        constexpr unsigned WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
        filter.allow_if(SYS_prctl, 0, {PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP});  // for a second, stricter filter
        filter.allow_without(SYS_openat, 2, WRITES);
#if defined(__x86_64__)
        filter.allow_without(SYS_open, 1, WRITES);
#endif
    }
    return filter.install();
}
