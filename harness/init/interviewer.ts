/** Who asks the questions: a terminal, or a test that knows the answers. */
export interface Interviewer {
  /** Asks until `check` has nothing against the answer; Enter alone gives `preset`. */
  text(question: TextQuestion): Promise<string>
  choose<Value extends string>(question: Choice<Value>): Promise<Value>
  /** Any number of them, and none too. */
  chooseSome<Value extends string>(question: Some<Value>): Promise<readonly Value[]>
  confirm(message: string, preset: boolean): Promise<boolean>
  tell(line: string): void
  /** Shows that something takes its time. */
  during<Result>(title: string, work: () => Promise<Result>): Promise<Result>
}

export interface TextQuestion {
  readonly message: string
  readonly preset?: string
  /** What an answer looks like, where none is preset. */
  readonly example?: string
  readonly check: (answer: string) => string | undefined
}

interface Option<Value> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

export interface Choice<Value> {
  readonly message: string
  readonly options: readonly Option<Value>[]
  readonly preset: Value
}

export interface Some<Value> {
  readonly message: string
  readonly options: readonly Option<Value>[]
  readonly preset: readonly Value[]
}

/** Ctrl-C. Its message says what has been written until then. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}
