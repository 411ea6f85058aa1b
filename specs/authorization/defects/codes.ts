import {
  alter,
  defectsOf,
  every,
  forAFac,
  forATpp,
  isOfATpp,
  when,
  type Defect,
  type FactsOf,
  type Incoming,
} from '../../shared/changes.ts'
import { shareFirstAnswer } from '../../shared/overlap.ts'
import { AUT } from '../requirements.ts'

/** Codes that repeat, that can be guessed from each other, or that are too short. */

/** Makes a code by its number, from 1. */
const code = (shape: (count: number, facts: FactsOf<'newCode'>) => string) =>
  alter({ newCode: (_, facts, { calls }) => shape(calls, facts) })

const randomHex = (): string => crypto.randomUUID().replaceAll('-', '')

const [START, STEP] = [0x7c41e09d35b82f6a91d07e3c5ab48f21d6n, 0x9e3779b97f4a7c15n]

/** How long a decision waits for another one that may come, however busy the machine is. */
const OVERLAP_MS = 150

export const codeDefects: readonly Defect[] = [
  ...defectsOf([AUT.codesAreDistinct, 'TOK-33', 'TOK-54'], {
    'A grant gives the code of the grant before, if that was not used yet': alter(
      {
        newCode: (usual, _, { of }) => {
          const last = of('newCode').at(-1)?.answer ?? usual
          return of('redeemsCode').some(({ facts }) => facts.code.value === last) ? usual : last
        },
      },
      'redeemsCode',
    ),
  }),
  ...defectsOf([AUT.codesAreDistinct], {
    'Every fourth grant to a TPP gives the code of three grants before': forATpp(
      when(
        every(4),
        alter({
          newCode: (usual, _, { of }) =>
            of('newCode')
              .filter(({ facts }) => isOfATpp(facts))
              .at(-3)?.answer ?? usual,
        }),
      ),
    ),
    'A decision that comes during the first one gets the same answer': when(
      ({ form }: Incoming) => form.has('decision'),
      shareFirstAnswer('login', OVERLAP_MS),
    ),
  }),
  ...defectsOf([AUT.codesDoNotFollowFromEachOther], {
    'Codes are numbers that grow by one, with forty digits': code((count) =>
      String(41_077 + count).padStart(40, '0'),
    ),
    'The code of a FAC is a long text and the number of its grant, in base64': forAFac(
      code((count) => Buffer.from(`authorization-code-of-the-grant-${500 + count}`).toString('base64url')),
    ),
    'The code of a TPP is the one before plus a constant': forATpp(
      code((count) => (START + BigInt(count) * STEP).toString(16)),
    ),
    'The code of a TPP is the time of its grant in nanoseconds, with forty digits': forATpp(
      code((count, { now }) => String(now.getTime() * 1_000_000 + 4096 * count * count).padStart(40, '0')),
    ),
  }),
  ...defectsOf([AUT.codeHasRoomFor128Bits], {
    'A code has eight hexadecimal digits': code(() => randomHex().slice(0, 8)),
    'A code for a FAC has 31 hexadecimal digits': forAFac(code(() => randomHex().slice(0, 31))),
    'A code for a TPP has twenty decimal digits': forATpp(
      code(() => BigInt(`0x${randomHex()}`).toString().slice(0, 20)),
    ),
  }),
]
