// Operator API: null routes.
import type { Handlers } from '#contract/endpoint.ts';
import type { nullrouteOperator } from '#contract/operator/nullroute.ts';
import { nullrouteAdd, nullrouteList, nullrouteRemove } from '#app/operator/nullroutes.ts';
import type { Context, Visitor } from '#app/app.ts';

export const nullrouteHandlers: Handlers<typeof nullrouteOperator, Context, Visitor> = {
  nullrouteList: (context) => nullrouteList(context),
  nullrouteAdd,
  nullrouteRemove: (context, { ip }) => nullrouteRemove(context, ip),
};
