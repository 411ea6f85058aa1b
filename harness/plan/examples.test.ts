import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { profileSchema } from '../profile/schema.ts'
import { EXAMPLES } from './examples.ts'

/** An example is a part of a profile: other keys are missing, and `env:` is not read here. */
const isPartial = (message: string): boolean =>
  /received undefined$|^Invalid option: expected one of "FAC"|^a client id with a colon/.test(message)

test.each(Object.entries(EXAMPLES))('the example of %s fits into a profile', (_, example) => {
  const problems = profileSchema.safeParse(parse(example)).error?.issues ?? []
  expect(problems.map(({ message }) => message).filter((message) => !isPartial(message))).toEqual([])
})
