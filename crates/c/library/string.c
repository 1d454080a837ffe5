// string.h: texts end in a letter 0.

typedef typeof(sizeof(0)) size_t;

size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n] != 0)
    n++;
  return n;
}

int strcmp(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n) {
  while (n > 0 && *a != 0 && *a == *b) {
    a++;
    b++;
    n--;
  }
  return n == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}

char *strcpy(char *to, const char *from) {
  size_t n = 0;
  while ((to[n] = from[n]) != 0)
    n++;
  return to;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i] != 0; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  size_t n = 0, i = 0;
  while (to[n] != 0)
    n++;
  while ((to[n + i] = from[i]) != 0)
    i++;
  return to;
}

char *strchr(const char *text, int c) {
  while (*text != (char)c) {
    if (*text == 0)
      return 0;
    text++;
  }
  return (char *)text;
}

char *strrchr(const char *text, int c) {
  const char *last = 0;
  for (;; text++) {
    if (*text == (char)c)
      last = text;
    if (*text == 0)
      return (char *)last;
  }
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}
