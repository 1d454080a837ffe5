// Stands behind a program: runs it many times, each time in a process of its own, and prints how often it came to a target, to `abort`, to its end, or was stopped by a sanitizer.
#undef main
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
static void prepare(char texts[4][24], char **arguments, int *count) {
  int numbers[2];
  char line[400] = "";
  next_input = 0;
  for (int n = 0; n < 16; n++)
    sprintf(line + strlen(line), "%d ", (int)input());
  if (pipe(numbers) == 0 && write(numbers[1], line, strlen(line)) > 0)
    dup2(numbers[0], 0);
  close(numbers[1]);
  dup2(open("/dev/null", O_WRONLY), 1);
  next_input = 0;
  *count = 1 + run_number % 4;
  for (int n = 0; n < 4; n++) {
    sprintf(texts[n], n == 0 ? "program" : "%d", (int)input());
    arguments[n] = n < *count ? texts[n] : 0;
  }
  arguments[4] = 0;
  next_input = 0;
}
int main(int n_arguments, char **options) {
  unsigned long long n_runs = strtoull(options[1], 0, 10), n_target = 0, n_abort = 0, n_end = 0, n_stopped = 0, n_late = 0;
  seed = strtoull(options[2], 0, 10);
  n_constants = n_arguments - 3;
  constants = malloc(n_arguments * sizeof *constants);
  for (int n = 3; n < n_arguments; n++)
    constants[n - 3] = strtoll(options[n], 0, 10);
  for (run_number = 0; run_number < n_runs; run_number++) {
    int status, count;
    char texts[4][24], *arguments[5];
    pid_t child = fork();
    if (child == 0) {
      prepare(texts, arguments, &count);
      alarm(2);
      ((int (*)(int, char **))main_of_the_program)(count, arguments);
      _exit(0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
      ++*(WTERMSIG(status) == SIGABRT ? &n_abort : WTERMSIG(status) == SIGALRM ? &n_late : &n_stopped);
    else
      ++*(WEXITSTATUS(status) == 42 ? &n_target : WEXITSTATUS(status) == 77 ? &n_stopped : &n_end);
    if (n_late > 3)
      break;
  }
  printf("%llu %llu %llu %llu %llu\n", n_target, n_abort, n_end, n_stopped, n_late);
  return 0;
}
