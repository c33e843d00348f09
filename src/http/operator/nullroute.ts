// The operator's side: null-routes.
import type { Handlers } from '#contract/endpoint.ts';
import type { nullrouteOperator } from '#contract/operator/nullroute.ts';
import { nullrouteAdd, nullrouteList, nullrouteRemove } from '#app/operator/nullroutes.ts';
import type { Context, Visitor } from '#app/yard.ts';

export const nullrouteHandlers: Handlers<typeof nullrouteOperator, Context, Visitor> = {
  nullrouteList: (context) => nullrouteList(context),
  nullrouteAdd,
  nullrouteRemove: (context, { ip }) => nullrouteRemove(context, ip),
};
