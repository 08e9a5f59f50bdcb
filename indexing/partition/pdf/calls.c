/* Ask PDFium of each of many things, in one call from Python (`calls.py`).
 *
 * A page has thousands of letters and objects, and a call from Python takes twice as long as what
 * PDFium does in it. All functions of PDFium come as pointers, so that this is compiled and loaded
 * without PDFium and Python. Counts are those of things, rows of answers lie one behind the other.
 */

#include <stdint.h>

typedef intptr_t thing; /* the number of a letter, part or object; or the pointer to an object */

struct box { /* FS_RECTF */
    float left, top, right, bottom;
};

void boxes_of_letters(int (*get)(void *, int, struct box *), void *textpage, const thing *letters,
                      int count, struct box *boxes)
{
    for (int n = 0; n < count; n++)
        get(textpage, (int)letters[n], &boxes[n]);
}

void sides_of_parts(int (*get)(void *, int, double *, double *, double *, double *),
                    void *textpage, const thing *parts, int count, double (*sides)[4])
{
    for (int n = 0; n < count; n++)
        get(textpage, (int)parts[n], &sides[n][0], &sides[n][1], &sides[n][2], &sides[n][3]);
}

void sides_of_objects(int (*get)(void *, float *, float *, float *, float *), const thing *objects,
                      int count, float (*sides)[4])
{
    for (int n = 0; n < count; n++)
        get((void *)objects[n], &sides[n][0], &sides[n][1], &sides[n][2], &sides[n][3]);
}

void modes_of_paths(int (*get)(void *, int *, int *), const thing *paths, int count,
                    int (*modes)[2])
{
    for (int n = 0; n < count; n++)
        get((void *)paths[n], &modes[n][0], &modes[n][1]);
}

void objects_of_page(void *(*get)(void *, int), int (*get_type)(void *), void *page,
                     const thing *numbers, thing *objects, thing *types, int count)
{
    for (int n = 0; n < count; n++) {
        void *object = get(page, (int)numbers[n]);
        objects[n] = (thing)object;
        types[n] = get_type(object);
    }
}
