import { breaking } from '../../shared/defects.ts'
import { sharingTheFirstAnswer } from '../../shared/defect-wires.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { AUT } from '../requirements.ts'

/** Codes that repeat, that can be guessed from each other, or that are too short. */

type Facts = Parameters<Rules['newCode']>[0]
type Client = Facts['client']

const randomHex = (): string => crypto.randomUUID().replaceAll('-', '')

/** Replaces the codes of one kind of client. A shape is made for each bank. */
const shaping =
  (kind: Client['kind'], shape: () => (facts: Facts) => string): RuleChange =>
  (lawful) => {
    const code = shape()
    return { newCode: (facts) => (facts.client.kind === kind ? code(facts) : lawful.newCode(facts)) }
  }

/** How long a decision waits for another one that may come, however busy the machine is. */
const OVERLAP_MS = 150

const isDecision = async (request: Request): Promise<boolean> =>
  request.method === 'POST' && (await request.clone().text()).includes('decision=')

export const codeDefects: readonly Defect[] = [
  ...breaking(AUT.codesAreDistinct, {
    'second-code-repeats-the-first': {
      story: 'A grant gives the code of the grant before, if it was not used yet.',
      rules: (lawful) => {
        let last = ''
        const used = new Set<string>()
        return {
          newCode: (facts) => {
            last = last === '' || used.has(last) ? lawful.newCode(facts) : last
            return last
          },
          redeemsCode: (facts) => {
            used.add(facts.code.value)
            return lawful.redeemsCode(facts)
          },
        }
      },
    },
    'fourth-code-repeats-the-first': {
      story: 'Every fourth grant to a TPP gives the code of three grants before.',
      rules: (lawful) => {
        const given: string[] = []
        return {
          newCode: (facts) => {
            if (facts.client.kind === 'FAC') return lawful.newCode(facts)
            const code = (given.length % 4 === 3 ? given.at(-3) : undefined) ?? lawful.newCode(facts)
            given.push(code)
            return code
          },
        }
      },
    },
    'decisions-at-the-same-moment-share-a-code': {
      story: 'A decision that comes while the first one is served gets the answer to that one.',
      wire: sharingTheFirstAnswer(isDecision, OVERLAP_MS),
    },
  }),
  ...breaking(AUT.codesDoNotFollowFromEachOther, {
    'codes-count-up': {
      story: 'Codes are numbered, with forty digits.',
      rules: () => {
        let count = 41_077
        return { newCode: () => String((count += 1)).padStart(40, '0') }
      },
    },
    'codes-count-up-in-base64': {
      story: 'The code of a FAC is the number of its grant with a long name, in base64.',
      rules: shaping('FAC', () => {
        let count = 500
        return () => Buffer.from(`authorization-code-of-the-grant-${(count += 1)}`).toString('base64url')
      }),
    },
    'codes-step-by-a-constant': {
      story: 'The code of a TPP is the one before plus a constant.',
      rules: shaping('TPP', () => {
        let last = BigInt(`0x7${randomHex()}`)
        return () => (last += 0x9e3779b97f4a7c15n).toString(16)
      }),
    },
    'codes-are-readings-of-the-clock': {
      story: 'The code of a TPP is the time of its grant in nanoseconds, with forty digits.',
      rules: shaping('TPP', () => {
        let count = 0
        return ({ now }) => {
          count += 1
          return String(now.getTime() * 1_000_000 + 4096 * count * count).padStart(40, '0')
        }
      }),
    },
  }),
  ...breaking(AUT.codeHasRoomFor128Bits, {
    'code-has-eight-characters': {
      story: 'A code has eight hexadecimal digits.',
      rules: { newCode: () => randomHex().slice(0, 8) },
    },
    'code-has-room-for-124-bits': {
      story: 'A code for a FAC has 31 hexadecimal digits, one too few for 128 bits.',
      rules: shaping('FAC', () => () => randomHex().slice(0, 31)),
    },
    'code-for-a-tpp-has-twenty-digits': {
      story: 'A code for a TPP has twenty decimal digits.',
      rules: shaping('TPP', () => () => BigInt(`0x${randomHex()}`).toString().slice(0, 20)),
    },
  }),
]
