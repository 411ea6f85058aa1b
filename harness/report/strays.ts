import { exchangesOf } from './evidence-lines.ts'
import type { Report } from './schema.ts'

/** Every call at an address of the sink that nobody was told: read from the evidence. */
export const readStrays = (file: string): NonNullable<Report['strays']> =>
  [...exchangesOf(file, ['stray'])].map(({ id, request }) => ({
    exchange: id,
    method: request.method,
    url: request.url,
  }))
