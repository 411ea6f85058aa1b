/** The OpenAPI document of the bank, as the file openapi.yaml has it. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { packageFile } from './package-file.ts'

/** Its servers are relative: the bank that it describes serves it, at whatever address. */
export const openApiDocument = (): unknown =>
  parse(readFileSync(packageFile('harness/bank/openapi.yaml'), 'utf8'))
