// Operator API: null routes.
import type { nullrouteOperator } from '#contract/operator/nullroute.ts';
import { nullrouteAdd, nullrouteList, nullrouteRemove } from '#app/operator/nullroutes.ts';
import type { HandlersOf } from '../handler.ts';

export const nullrouteHandlers: HandlersOf<typeof nullrouteOperator> = {
  nullrouteList,
  nullrouteAdd,
  nullrouteRemove: (context, { ip }) => nullrouteRemove(context, ip),
};
