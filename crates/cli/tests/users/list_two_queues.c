// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct job { int priority; struct job *next; };
static void add(struct job **queue, int priority) {
  struct job *job = malloc(sizeof *job);
  if (!job) exit(1);
  job->priority = priority;
  job->next = *queue;
  *queue = job;
}
int main(void) {
  struct job *urgent = NULL, *normal = NULL;
  int priority;
  while ((priority = __VERIFIER_nondet_int()) != 0)
    if (priority > 5) add(&urgent, priority);
    else add(&normal, priority);
  for (struct job *job = urgent; job; job = job->next) assert(job->priority > 5);
  for (struct job *job = normal; job; job = job->next) assert(job->priority <= 5);
  return 0;
}
