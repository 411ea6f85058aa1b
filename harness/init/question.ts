import { complaintsAbout } from './complaints.ts'
import type { Given } from './given.ts'
import type { Interviewer } from './interviewer.ts'
import type { Look } from './look.ts'

export interface Interview {
  readonly interviewer: Interviewer
  /** Looks what answers; left out, nothing is sent. */
  readonly look?: (given: Given) => Promise<Look>
}

/** What has been said, and what the bank showed meanwhile. */
export interface Progress {
  readonly given: Given
  readonly look?: Look
}

/** Asks for one thing, unless it was said already. */
export type Step = (progress: Progress, interview: Interview) => Promise<Given>

interface Question {
  readonly message: string
  readonly preset?: string
  readonly example?: string
  /** What an answer says. */
  readonly say: (answer: string) => Given
}

/** Asks until nothing is wrong with the answer. */
export const ask = async (
  given: Given,
  { interviewer }: Interview,
  { say, ...question }: Question,
): Promise<Given> => {
  const check = (answer: string): string | undefined => {
    if (answer.trim() === '') return 'expected an answer; Ctrl-C ends the questions'
    const [complaint] = complaintsAbout({ ...given, ...say(answer.trim()) })
    // Whoever answers a question has used no option.
    return complaint?.replace(/^--[\w-]+: /, '')
  }
  const answer = await interviewer.text({ ...question, check })
  return { ...given, ...say(answer) }
}
