import { REF } from './requirements.ts'
import type { Defect } from '../../harness/bank/defect.ts'

/** What a bank can get wrong in its answer to a refresh. */

/** Says of each refresh which one of its consent it is, counted from 1. */
const counting = (): ((consentId: string) => number) => {
  const counts = new Map<string, number>()
  return (consentId) => {
    const count = (counts.get(consentId) ?? 0) + 1
    counts.set(consentId, count)
    return count
  }
}

let digits = 4_711

const fields: readonly Defect[] = [
  {
    id: 'refresh-answers-without-a-task-id',
    story: 'A refresh is taken without a word about its task.',
    breaks: [REF.refreshAnswersATaskId],
    rules: { refreshBody: () => ({}) },
  },
  {
    id: 'refresh-names-its-task-otherwise',
    story: 'The answer to a refresh has its taskId under the name id.',
    breaks: [REF.refreshAnswersATaskId],
    rules: { refreshBody: ({ taskId }) => ({ id: taskId }) },
  },
  {
    id: 'refresh-answers-an-empty-task-id',
    story: 'The taskId of a refresh is empty.',
    breaks: [REF.refreshAnswersATaskId],
    rules: { refreshBody: () => ({ taskId: '' }) },
  },
  {
    id: 'refresh-answers-null-as-its-task-id',
    story: 'The taskId of a refresh is null: the task has none before it runs.',
    breaks: [REF.refreshAnswersATaskId],
    rules: { refreshBody: () => ({ taskId: null }) },
  },
  {
    id: 'later-refresh-answers-without-a-task-id',
    story: 'From the second refresh of a consent on, the answer has no taskId.',
    breaks: [REF.refreshAnswersATaskId],
    rules: () => {
      const countOf = counting()
      return { refreshBody: ({ consentId, taskId }) => (countOf(consentId) > 1 ? {} : { taskId }) }
    },
  },
  {
    id: 'task-id-is-a-number',
    story: 'A taskId is a number in the answer, and its digits in the events.',
    breaks: [REF.taskIdIsAString],
    rules: {
      newTaskId: () => String(digits++),
      refreshBody: ({ taskId }) => ({ taskId: Number(taskId) }),
    },
  },
  {
    id: 'later-task-id-is-a-number',
    story: 'The taskId of the second refresh of a consent is a number.',
    breaks: [REF.taskIdIsAString],
    rules: () => {
      const countOf = counting()
      return {
        newTaskId: () => String(digits++),
        refreshBody: ({ consentId, taskId }) => ({
          taskId: countOf(consentId) > 1 ? Number(taskId) : taskId,
        }),
      }
    },
  },
  {
    id: 'task-id-is-an-object',
    story: 'The taskId of a refresh is an object around the id.',
    breaks: [REF.taskIdIsAString],
    rules: { refreshBody: ({ taskId }) => ({ taskId: { value: taskId } }) },
  },
]

const ids: readonly Defect[] = [
  {
    id: 'task-ids-are-all-alike',
    story: 'Every refresh has the same taskId.',
    breaks: [REF.taskIdsAreDistinct],
    rules: { newTaskId: () => 'refresh' },
  },
  {
    id: 'task-ids-are-all-alike-in-production',
    story: 'In production every refresh has the same taskId.',
    breaks: [REF.taskIdsAreDistinct],
    environment: 'production',
    rules: { newTaskId: () => 'refresh' },
  },
  {
    id: 'task-id-is-that-of-the-customer',
    story: 'All refreshes for one customer have the same taskId.',
    breaks: [REF.taskIdsAreDistinct],
    rules: { newTaskId: ({ grant }) => `task-of-${grant.username}-with-${grant.clientId}` },
  },
  {
    id: 'task-ids-are-counted-by-application',
    story: 'Each application has a task-1, a task-2 and so on of its own.',
    breaks: [REF.taskIdsAreDistinct],
    rules: () => {
      const countOf = counting()
      return { newTaskId: ({ grant }) => `task-${countOf(grant.clientId)}` }
    },
  },
  {
    id: 'task-ids-begin-anew-after-two',
    story: 'The third task has the id of the first one.',
    breaks: [REF.taskIdsAreDistinct],
    rules: () => {
      let tasks = 0
      return { newTaskId: () => `task-${tasks++ % 2}` }
    },
  },
]

export const defectsOfAnswering: readonly Defect[] = [...fields, ...ids]
