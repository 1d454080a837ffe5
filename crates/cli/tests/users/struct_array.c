// expect: UNREACHABLE
#include <assert.h>
#include <stdio.h>
#define PEOPLE 20
struct person { int age; int adult; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct person people[PEOPLE];
  for (int i = 0; i < PEOPLE; i++) {
    people[i].age = __VERIFIER_nondet_int();
    people[i].adult = people[i].age >= 18;
  }
  for (int i = 0; i < PEOPLE; i++)
    if (people[i].adult) assert(people[i].age >= 18);
  return 0;
}
