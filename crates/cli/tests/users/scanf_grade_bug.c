// expect: REACHABLE
#include <stdio.h>
#include <assert.h>
int main(void) {
  int points;
  char grade;
  printf("points? ");
  scanf("%d", &points);
  if (points < 0 || points > 100) return 1;
  if (points >= 90) grade = 'A';
  else if (points >= 75) grade = 'B';
  else if (points > 50) grade = 'C';
  else grade = 'F';
  assert(!(points >= 50 && grade == 'F'));
  return 0;
}
