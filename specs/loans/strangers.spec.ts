import { check, isNotCanceled, NotReached, disclosesNothingOf } from '../../harness/check/index.ts'
import { scenario, statusAfterCancellation } from '../../harness/session/index.ts'
import { isUntoldBetween } from './calls.ts'
import { LOA } from './requirements.ts'

const foreign = scenario(
  'the application of another client',
  { effect: 'apply', as: 'any', needs: ['loans', 'stranger-application'], loans: { submitted: 2 } },
  async (session) => {
    const loans = await session.loans()
    const stranger = session.profile.applications.find(({ name }) => name !== loans.application.name)
    if (stranger === undefined) throw new NotReached('the profile names no second application')
    const theirs = await session.loans(stranger)
    const submission = await loans.submit()
    const id = loans.idOf(submission)
    const own = await theirs.status(theirs.idOf(await theirs.submit()))
    const before = await loans.status(id)
    const read = await theirs.status(id)
    const attempt = await theirs.cancel(id)
    const after = await statusAfterCancellation({ clock: session.clock, loans }, id)
    await loans.cancel(id)
    return {
      profile: loans.profile,
      submission,
      own,
      before,
      read,
      attempt,
      after,
      last: await statusAfterCancellation({ clock: session.clock, loans }, id),
    }
  },
)

check(LOA.foreignApplicationIsNotTold, foreign, ({ profile, submission, own, before, read, after }) => {
  isUntoldBetween({ before, changed: read, after }, profile, 'another client has submitted the application')
  disclosesNothingOf(read, {
    theirs: [submission, before],
    ours: [own],
    name: 'the application of another client',
  })
})

check(LOA.foreignApplicationIsNotCanceled, foreign, ({ profile, before, attempt, after, last }) =>
  isNotCanceled({ attempt, before, after, last }, profile, 'another client has submitted the application'),
)
