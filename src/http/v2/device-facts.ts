// v2: facts about a service, and its labels.
import type { deviceFactsV2 } from '#contract/v2/device-facts.ts';
import { servicePrice } from '#app/billing/service-price.ts';
import { deviceFacts } from '#app/devices/facts.ts';
import { deviceLabelSet } from '#app/devices/labels.ts';
import type { HandlersOf } from '../handler.ts';

export const deviceFactsHandlers: HandlersOf<typeof deviceFactsV2> = {
  deviceFactsGet: (context, { service }) => deviceFacts(context, service),
  devicePriceGet: (context, { service }) => servicePrice(context, service),
  deviceLabelSet,
};
