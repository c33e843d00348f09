// Legacy: software licences.
import type { softwareLegacy } from '#contract/legacy/software.ts';
import { softwareCancel, softwareList, softwareOrder } from '#app/software/licences.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const softwareHandlers: HandlersOf<typeof softwareLegacy> = {
  softwareList: (context, { service }) => softwareList(context, service),
  softwareOrder,
  softwareCancel: respondWith('License Cancelled', (context, selection) => softwareCancel(context, selection)),
};
