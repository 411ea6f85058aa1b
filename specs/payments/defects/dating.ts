import type { Defect } from '../../../harness/bank/defect.ts'
import { rewording, wordingRecords } from './wires.ts'
import type { Asked, Members } from './wires.ts'
import { PAY } from '../requirements.ts'

const always = (): boolean => true
const whenRead = (_: Members, { operation }: Asked): boolean => operation === 'status'

const timeOf = ({ statusDateTime }: Members): string => String(statusDateTime)

const dating = (
  change: (time: string) => unknown,
  isMeant: (record: Members, asked: Asked) => boolean = always,
) => wordingRecords(isMeant, (record) => ({ ...record, statusDateTime: change(timeOf(record)) }))

const OFFSET = /(Z|[+-]\d\d:\d\d)$/

/** The same instant with this many ms more, by UTC. */
const moved = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString()

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const forms: readonly Defect[] = [
  {
    id: 'date-time-has-no-offset',
    story: 'statusDateTime is a local time without its offset.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    wire: dating((time) => time.replace(OFFSET, '')),
  },
  {
    id: 'date-time-has-no-offset-when-read',
    story: 'statusDateTime has its offset in the answer to an initiation, and lacks it in the status.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    wire: dating((time) => time.replace(OFFSET, ''), whenRead),
  },
  {
    id: 'date-time-has-a-blank',
    story: 'A blank stands between the date and the time of statusDateTime.',
    breaks: [PAY.statusDateTimeHasAUtcOffset, PAY.statusDateTimeHasMilliseconds],
    wire: dating((time) => time.replace('T', ' ')),
  },
  {
    id: 'date-time-names-its-zone',
    story: 'statusDateTime has the name of a zone behind it.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    wire: dating((time) => `${time}[Europe/Bratislava]`),
  },
  {
    id: 'date-time-has-a-month-too-many',
    story: 'The months of statusDateTime are counted to 13 in a pending payment.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    wire: dating(
      (time) => time.replace(/^(\d{4})-\d\d/, '$1-13'),
      ({ status }) => status === 'PDNG',
    ),
  },
  {
    id: 'date-time-is-a-number',
    story: 'statusDateTime is a number of milliseconds.',
    breaks: [PAY.statusDateTimeHasAUtcOffset, PAY.statusDateTimeHasMilliseconds],
    wire: dating((time) => Date.parse(time)),
  },
  {
    id: 'date-time-has-no-milliseconds',
    story: 'statusDateTime ends with the seconds.',
    breaks: [PAY.statusDateTimeHasMilliseconds],
    wire: dating((time) => time.replace(/\.\d+/, '')),
  },
  {
    id: 'milliseconds-are-left-out-in-a-rejection',
    story: 'statusDateTime of a rejected payment ends with the seconds.',
    breaks: [PAY.statusDateTimeHasMilliseconds],
    wire: dating(
      (time) => time.replace(/\.\d+/, ''),
      ({ status }) => status === 'RJCT',
    ),
  },
  {
    id: 'milliseconds-have-one-digit',
    story: 'The zeros at the end of the milliseconds are left out.',
    breaks: [PAY.statusDateTimeHasMilliseconds],
    wire: dating((time) => time.replace(/(\.\d)\d+/, '$1')),
  },
]

const instants: readonly Defect[] = [
  {
    id: 'local-time-is-told-as-utc',
    story: 'statusDateTime is the local time of the bank, with a Z behind it.',
    breaks: [PAY.statusDateTimeIsTheTimeOfTheStatus],
    wire: dating((time) => moved(time, HOUR_MS)),
  },
  {
    id: 'utc-is-told-as-local-time',
    story: 'statusDateTime is the time of UTC, with the offset of Bratislava behind it.',
    breaks: [PAY.statusDateTimeIsTheTimeOfTheStatus],
    wire: dating((time) => moved(time, 0).replace('Z', '+01:00')),
  },
  {
    id: 'date-time-of-acceptance-goes-back',
    story: 'statusDateTime of a payment in ACSP lies five minutes before that of its initiation.',
    breaks: [PAY.statusDateTimeDoesNotGoBack],
    wire: dating(
      (time) => moved(time, -5 * MINUTE_MS),
      ({ status }) => status === 'ACSP',
    ),
  },
  {
    id: 'date-time-goes-back-when-pending',
    story: 'statusDateTime of a payment in PDNG lies a minute before that of its initiation.',
    breaks: [PAY.statusDateTimeDoesNotGoBack],
    wire: dating(
      (time) => moved(time, -MINUTE_MS),
      ({ status }) => status === 'PDNG',
    ),
  },
  {
    id: 'date-time-is-that-of-the-initiation',
    story: 'statusDateTime stays what the initiation answered.',
    breaks: [PAY.statusDateTimeChangesWithTheStatus],
    wire: rewording(() => {
      const first = new Map<unknown, unknown>()
      return ({ body }) => {
        if (!first.has(body.orderId)) first.set(body.orderId, body.statusDateTime)
        return body.orderId === undefined
          ? undefined
          : { body: { ...body, statusDateTime: first.get(body.orderId) } }
      }
    }),
  },
  {
    id: 'date-time-of-a-late-rejection-is-that-of-the-initiation',
    story: 'statusDateTime does not change when a submission rejects the payment.',
    breaks: [PAY.statusDateTimeChangesWithTheStatus],
    wire: rewording(() => {
      const first = new Map<unknown, unknown>()
      return ({ body }) => {
        if (!first.has(body.orderId)) first.set(body.orderId, body.statusDateTime)
        return body.status === 'RJCT'
          ? { body: { ...body, statusDateTime: first.get(body.orderId) } }
          : undefined
      }
    }),
  },
  {
    id: 'date-time-is-that-of-the-answer',
    story: 'statusDateTime is the time at which the status is read.',
    breaks: [PAY.statusDateTimeStaysWithTheStatus],
    wire: rewording(() => {
      let reads = 0
      return ({ body }, { operation }) => {
        if (operation !== 'status' || body.orderId === undefined) return undefined
        reads += 1
        return { body: { ...body, statusDateTime: moved(timeOf(body), reads) } }
      }
    }),
  },
]

export const defectsOfDating: readonly Defect[] = [...forms, ...instants]
