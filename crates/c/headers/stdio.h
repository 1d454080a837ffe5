#include <stddef.h>
typedef struct __file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...);
int scanf(const char *, ...); int fscanf(FILE *, const char *, ...); int sscanf(const char *, const char *, ...);
int puts(const char *); int fputs(const char *, FILE *); int putchar(int); int putc(int, FILE *); int fputc(int, FILE *);
int getchar(void); int getc(FILE *); int fgetc(FILE *); int ungetc(int, FILE *); char *fgets(char *, int, FILE *);
FILE *fopen(const char *, const char *); int fclose(FILE *); int fflush(FILE *); int feof(FILE *); int ferror(FILE *); int remove(const char *);
size_t fread(void *, size_t, size_t, FILE *); size_t fwrite(const void *, size_t, size_t, FILE *); int fseek(FILE *, long, int); long ftell(FILE *); void rewind(FILE *);
void perror(const char *);
