// The labels that customers give to their services.
import type { InputOf } from '#contract/endpoint.ts';
import { maxLabels } from '#contract/shapes/device-facts.ts';
import type { deviceFactsV2 } from '#contract/v2/device-facts.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import { serviceLabelsLock, serviceLabelsSet } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { serviceOf } from '../services/services.ts';

export async function deviceLabelSet(
  context: Context,
  { service, add = [], remove = [] }: InputOf<typeof deviceFactsV2.deviceLabelSet>,
): Promise<string[]> {
  const { queries, caller } = context;
  const both = add.find((label) => remove.includes(label));
  if (both !== undefined) throw invalid({ remove: `must not contain ${both}, which is to be added` });
  const { id } = await serviceOf(context, service);
  const current = await serviceLabelsLock(queries, caller.account, id);
  const labels = [...new Set([...current, ...add])].filter((label) => !remove.includes(label)).toSorted();
  if (labels.length > maxLabels) throw conflict(`A service can have ${maxLabels} labels. Remove some first.`);
  if (labels.join() === current.join()) return current;
  await serviceLabelsSet(queries, caller.account, id, labels);
  context.emit('device.labels.changed', { labels }, id);
  return labels;
}
