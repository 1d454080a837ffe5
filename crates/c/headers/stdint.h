typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef __LONG_LONG_TYPE__ int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned __LONG_LONG_TYPE__ uint64_t;
typedef signed char int_least8_t; typedef short int_least16_t; typedef int int_least32_t; typedef __LONG_LONG_TYPE__ int_least64_t;
typedef unsigned char uint_least8_t; typedef unsigned short uint_least16_t; typedef unsigned int uint_least32_t; typedef unsigned __LONG_LONG_TYPE__ uint_least64_t;
typedef signed char int_fast8_t; typedef __WORD_TYPE__ int_fast16_t; typedef __WORD_TYPE__ int_fast32_t; typedef __LONG_LONG_TYPE__ int_fast64_t;
typedef unsigned char uint_fast8_t; typedef unsigned __WORD_TYPE__ uint_fast16_t; typedef unsigned __WORD_TYPE__ uint_fast32_t; typedef unsigned __LONG_LONG_TYPE__ uint_fast64_t;
typedef __WORD_TYPE__ intptr_t; typedef unsigned __WORD_TYPE__ uintptr_t;
typedef __LONG_LONG_TYPE__ intmax_t; typedef unsigned __LONG_LONG_TYPE__ uintmax_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX ((int64_t)9223372036854775807LL)
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX ((uint64_t)18446744073709551615ULL)
#define SIZE_MAX ((__SIZE_TYPE__)-1)
#define INTPTR_MAX __LONG_MAX__
#define INT32_C(number) number
#define UINT32_C(number) number ## U
#define INT64_C(number) ((int64_t)number ## LL)
#define UINT64_C(number) ((uint64_t)number ## ULL)
