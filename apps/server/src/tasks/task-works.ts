import type { TaskKind } from '@voltdeck/contract/tasks';
import type { TaskWork } from '../background/running-task.ts';
import { runRehearsal } from '../rehearsals/run-rehearsal.ts';
import { runStationCommands } from '../stations/commands/run-station-commands.ts';
import { runIdentities } from '../stations/identities/run-identities.ts';
import { runImport } from '../stations/imports/run-import.ts';
import { runLabelSheet } from '../stations/labels/run-label-sheet.ts';
import { writeExport } from './write-export.ts';

/** How the tasks of each kind are carried out. */
export const taskWorks: { readonly [Kind in TaskKind]: TaskWork<Kind> } = {
  export: writeExport,
  'station-commands': runStationCommands,
  rehearsal: runRehearsal,
  'station-import': runImport,
  'label-sheet': runLabelSheet,
  'station-identities': runIdentities,
};
