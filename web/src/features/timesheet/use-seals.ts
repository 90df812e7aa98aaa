/** The timesheets that were sealed. They are stored with the account, and with the sessions that are on them. */
import { newDocumentId } from '#record/document-id.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { sealChanges, unsealChanges } from '@stint/core/timesheet/seal-sheet.ts'
import {
  prefsWithoutSheet,
  prefsWithSheet,
  sealedSheets,
} from '@stint/core/timesheet/sealed-sheets.ts'
import type { SealedSheet } from '@stint/core/timesheet/sealed-sheets.ts'
import type { Timesheet } from '@stint/core/timesheet/timesheet.ts'
import { t } from '@stint/core/text.ts'
import { localDate } from '@stint/core/time/calendar.ts'
import { useMemo } from 'react'

import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { sheetHash } from './sheet-hash.ts'

/** What is sealed, beside the lines. */
export type SheetToSeal = Pick<SealedSheet, 'dates' | 'filter' | 'rounding' | 'onlyBillable'>

/** Returns the sealed sheets, the latest first, and re-renders when they change. */
export function useSealedSheets(): readonly SealedSheet[] {
  const prefs = useValue('settings')?.prefs
  return useMemo(() => sealedSheets(prefs ?? {}), [prefs])
}

export interface SealCommands {
  /** Seals a sheet and offers to undo it. Returns its id, or null if it could not be saved. */
  readonly seal: (sheet: Timesheet, about: SheetToSeal) => Promise<string | null>
  /** Removes the seal and its marks, and offers to undo it. */
  readonly unseal: (sheet: SealedSheet) => Promise<boolean>
}

export function useSealCommands(): SealCommands {
  const { change, now } = useRecordCommands()
  const { view } = useRecord()
  const dayRule = useDayRule()
  return {
    async seal(sheet, about) {
      const sealed: SealedSheet = {
        ...about,
        id: newDocumentId(now()),
        sealedOn: localDate(now(), dayRule),
        seconds: sheet.seconds,
        hash: await sheetHash(sheet),
      }
      const entries = sealChanges(sheet, sealed, now())
      const prefs = { changes: prefsWithSheet(sealed) }
      return (await change({ entries, prefs }, t('Timesheet sealed'))) ? sealed.id : null
    },
    unseal(sealed) {
      const entries = unsealChanges(view.entries.all(), sealed.id, now())
      const prefs = { changes: prefsWithoutSheet(sealed) }
      return change({ entries, prefs }, t('Seal removed'))
    },
  }
}
