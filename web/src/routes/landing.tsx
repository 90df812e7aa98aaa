/** Stint: the page is coming. */
export function Component() {
  return (
    <main className="p-6">
      <h1 className="text-xl font-semibold">Stint</h1>
      <p>The front page is coming.</p>
    </main>
  )
}
