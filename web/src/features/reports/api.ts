/** What other features use to build charts of the same kind. */
export { ChartSection, FigureButton } from './chart-section.tsx'
export { DataTable } from './data-table.tsx'
export { useExplain } from './explanation-provider.tsx'
export { HATCHED } from './hatched.ts'
export { RoundedSum } from './rounded-sum.tsx'
export { useMinuteInput, useReport } from './use-report.ts'
export { DAY_TIMELINE, goToDayTimeline, useDay, usualDay } from './use-period.ts'
