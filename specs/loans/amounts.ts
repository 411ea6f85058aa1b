import { constantFrom, integer, oneof, type Arbitrary } from 'fast-check'
import { LARGEST, ORDINARY, SMALLEST } from './applications.ts'

/** Amounts of loans, in EUR. */

export const amountsWithin: Arbitrary<number> = oneof(
  constantFrom(200, 256, 512, 999, 1000, 1024),
  integer({ min: SMALLEST, max: LARGEST }),
)
export const edgesWithin = [SMALLEST, LARGEST, SMALLEST + 1, LARGEST - 1]

export const amountsOutside: Arbitrary<number> = oneof(
  integer({ min: -LARGEST, max: SMALLEST - 1 }),
  integer({ min: LARGEST + 1, max: 2 * LARGEST }),
  integer({ min: LARGEST + 1, max: 2 ** 31 - 1 }),
)
/** The lowest 32 bits of one are an amount within the bounds. */
export const edgesOutside = [SMALLEST - 1, LARGEST + 1, 0, 1, -ORDINARY, 2 ** 31, 2 ** 32 + ORDINARY]
