/** Ends a tool that runs on another Node than the project's, in one sentence. JavaScript, so that any Node reads it. */
const MIN_MAJOR = 26

if (Number(process.versions.node.split('.')[0]) < MIN_MAJOR) {
  process.stderr.write(
    `Stint's tools need Node ${MIN_MAJOR}, which "npm install" brings, and this is Node ${process.versions.node}: run them through npm, for instance "npm exec vitest run web/src/ui".\n`,
  )
  process.exit(1)
}
