/** A program that copies a SQLite file and checks the copy: `copy-file.ts <file> <target>`. */
import { backUp } from './backup.ts'

const [file = '', target = ''] = process.argv.slice(2)
try {
  backUp(file, target)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
