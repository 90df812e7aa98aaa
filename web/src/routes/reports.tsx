/** Reports: the page is coming. */
export function Component() {
  return (
    <main className="p-6">
      <h1 className="text-xl font-semibold">Reports</h1>
      <p>This page is coming.</p>
    </main>
  )
}
