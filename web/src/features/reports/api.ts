/** The pictures of the reports, for other features: plain data in, nothing of the user's behind. */
export { ActivityPattern } from './activity-pattern.tsx'
export { LeftoverLine, PeriodBars } from './period-bars.tsx'
export { TaskBreakdownGrid } from './task-breakdown-grid.tsx'
