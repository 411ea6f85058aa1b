import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import * as z from 'zod'
import { ROOT } from '../plan/root.ts'

/** `npm run dependencies`: what is installed, its licences and known vulnerabilities. The release checklist reads it. */

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
})

const auditSchema = z.object({
  metadata: z.object({ vulnerabilities: z.record(z.string(), z.int()) }),
})

const lock = lockSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

const bytesIn = async (folder: string): Promise<number> => {
  let bytes = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

const licences = new Map<string, number>()
for (const [, { license = 'not declared' }] of packages)
  licences.set(license, (licences.get(license) ?? 0) + 1)

/** `npm audit` needs a registry that answers it. */
const audit = async (): Promise<string> => {
  const { stdout } = await execa('npm', ['audit', '--json'], { cwd: ROOT, reject: false })
  try {
    const { vulnerabilities } = auditSchema.parse(JSON.parse(stdout)).metadata
    const found = Object.entries(vulnerabilities).filter(([, count]) => count > 0)
    return found.length === 0 ? 'none known' : found.map(([level, count]) => `${count} ${level}`).join(', ')
  } catch {
    return 'not examined: the registry does not answer npm audit'
  }
}

const forRuns = packages.filter(([, { dev }]) => dev !== true).length
const bytes = await bytesIn(join(ROOT, 'node_modules'))
console.log(`packages         ${packages.length}, of which ${forRuns} are needed to run the suite`)
console.log(`installed        ${(bytes / 1024 / 1024).toFixed(0)} MiB in node_modules`)
console.log(`vulnerabilities  ${await audit()}`)
console.log('licences')
for (const [name, count] of [...licences].sort(([, one], [, other]) => other - one))
  console.log(`  ${String(count).padStart(4)}  ${name}`)
