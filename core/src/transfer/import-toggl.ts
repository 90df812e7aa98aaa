import { END_NAMES } from './import-columns.ts'
import type { TableFormat } from './import-table.ts'
import { namedAfterProject } from './import-table.ts'

/**
 * Toggl Track's detailed report as CSV. It has two layouts: with 'End date' and empty fields, and
 * with 'Stop date' and '-' for missing values. Durations may be rounded; times are not.
 */
export const TOGGL: TableFormat = {
  columns: [
    ['description', 'project'],
    ['start date'],
    ['start time'],
    ['end time', 'stop time', 'duration'],
  ],
  durationUnit: 'hours',
  readRow: (field) => {
    const value = (...names: readonly string[]) => {
      const text = field(...names)
      return text === '-' ? '' : text
    }
    return {
      ...namedAfterProject({
        client: value('client'),
        project: value('project'),
        task: value('task'),
        description: value('description'),
        tags: value('tags'),
      }),
      category: '',
      startDate: value('start date'),
      startTime: value('start time'),
      endDate: value('end date', 'stop date'),
      endTime: value('end time', 'stop time', ...END_NAMES),
      duration: value('duration'),
      person: value('email', 'user', 'member'),
      passedOver: null,
    }
  },
}
