// Legacy: software licences.
import type { Handlers } from '#contract/endpoint.ts';
import type { softwareLegacy } from '#contract/legacy/software.ts';
import { softwareCancel, softwareList, softwareOrder } from '#app/software/licences.ts';
import type { Context, Visitor } from '#app/app.ts';

export const softwareHandlers: Handlers<typeof softwareLegacy, Context, Visitor> = {
  softwareList: (context, { service }) => softwareList(context, service),
  softwareOrder,
  softwareCancel: async (context, selection) => {
    await softwareCancel(context, selection);
    return 'License Cancelled' as const;
  },
};
