import { alter, defectsOf, when, type Change, type Defect, type FactsOf } from '../../shared/changes.ts'
import { having, HOUR, isIn, isSentIn, MINUTE, record } from './records.ts'
import { PAY } from '../requirements.ts'

/** A statusDateTime of a wrong form, or of a wrong time. */

type TimeFacts = FactsOf<'statusDateTime'>

/** Another form of the time. */
const written = (change: (time: string) => string): Change<TimeFacts> =>
  alter({ statusDateTime: (time) => change(time) })

const withoutOffset = written((time) => time.replace(/(Z|[+-]\d\d:?\d\d)$/, ''))
const withoutMilliseconds = written((time) => time.replace(/\.\d+/, ''))

const inUtc = ({ payment: { statusAt } }: TimeFacts, ms = 0): string => new Date(+statusAt + ms).toISOString()

/** The time so many ms later, in the form of the bank. `calls` is the number of the record. */
const moved = (ms: (calls: number) => number): Change<TimeFacts> =>
  alter({
    statusDateTime: (_, { payment, ...facts }, { calls, rules }) =>
      rules.statusDateTime({
        ...facts,
        payment: { ...payment, statusAt: new Date(+payment.statusAt + ms(calls)) },
      }),
  })

/** The time that the first record of the same payment had. */
const first = alter({
  statusDateTime: (time, { payment: { orderId } }, past) =>
    past.of('statusDateTime').find(({ facts }) => facts.payment.orderId === orderId)?.answer ?? time,
})

const forms: readonly Defect[] = [
  ...defectsOf([PAY.statusDateTimeHasAUtcOffset], {
    'statusDateTime is a local time without its offset': withoutOffset,
    'statusDateTime lacks its offset when the status is read': when(isSentIn('status'), withoutOffset),
    'statusDateTime has the name of a zone behind it': written((time) => `${time}[Europe/Bratislava]`),
    'The months of statusDateTime are counted to 13 in a pending payment': when(
      isIn('PDNG'),
      alter({ statusDateTime: (_, facts) => inUtc(facts).replace(/-\d\d/, '-13') }),
    ),
  }),
  ...defectsOf([PAY.statusDateTimeHasAUtcOffset, PAY.statusDateTimeHasMilliseconds], {
    'A blank stands between the date and the time of statusDateTime': written((time) =>
      time.replace('T', ' '),
    ),
    'statusDateTime is a number of milliseconds': record((usual, { payment }) =>
      having({ statusDateTime: payment.statusAt.getTime() })(usual),
    ),
  }),
  ...defectsOf([PAY.statusDateTimeHasMilliseconds], {
    'statusDateTime ends with the seconds': withoutMilliseconds,
    'The zeros at the end of the milliseconds are left out': written((time) =>
      time.replace(/(\.\d)\d+/, '$1'),
    ),
  }),
]

const times: readonly Defect[] = [
  ...defectsOf([PAY.statusDateTimeIsTheTimeOfTheStatus], {
    'statusDateTime is the local time of the bank, with a Z behind it': alter({
      statusDateTime: (_, facts) => inUtc(facts, HOUR),
    }),
    'statusDateTime is the time of UTC, with the offset of Bratislava behind it': alter({
      statusDateTime: (_, facts) => inUtc(facts).replace('Z', '+01:00'),
    }),
  }),
  ...defectsOf([PAY.statusDateTimeDoesNotGoBack], {
    'statusDateTime in ACSP is five minutes before that of the initiation': when(
      isIn('ACSP'),
      moved(() => -5 * MINUTE),
    ),
    'statusDateTime in PDNG is a minute before that of the initiation': when(
      isIn('PDNG'),
      moved(() => -MINUTE),
    ),
  }),
  ...defectsOf([PAY.statusDateTimeChangesWithTheStatus], {
    'statusDateTime stays what the initiation answered': first,
    'statusDateTime does not change when a submission rejects the payment': alter({
      statusDateTime: (time, { payment, ...facts }, { rules }) =>
        payment.status === 'RJCT'
          ? rules.statusDateTime({ ...facts, payment: { ...payment, statusAt: payment.initiatedAt } })
          : time,
    }),
    'A payment that its submission rejects keeps the time of its initiation': alter({
      statusTime: (time, { status, payment }) =>
        status === 'RJCT' && payment.status === 'ACTC' ? payment.statusAt : time,
    }),
  }),
  ...defectsOf([PAY.statusDateTimeStaysWithTheStatus], {
    'statusDateTime is the time at which the status is read': when(
      isSentIn('status'),
      moved((calls) => calls),
    ),
  }),
]

export const defectsOfDating: readonly Defect[] = [...forms, ...times]
