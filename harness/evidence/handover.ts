import type { Handover } from './exchange.ts'

const WORDS: Readonly<Record<Handover['by'], string>> = {
  listener: 'a person, whose browser was sent here',
  address: 'a person, who gave the address at the end',
  code: 'a person, who gave the code at the end',
  nobody: 'left out by the person who was asked',
}

/** Who has sent a request that the suite has not, and how its end became known. */
export const renderHandover = ({ by }: Handover): string => WORDS[by]
