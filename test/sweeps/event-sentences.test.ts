// Every type of event has a sentence that a person understands, and the page of what it concerns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { eventKinds, eventTypes } from '#contract/events/events.ts';
import { mayConcernService } from '#contract/events/service-events.ts';
import { pageOf } from '#panel/parts/event-pages.ts';
import type { Event } from '#sdk/v2.ts';
import { describeEvent } from '#text/event-sentences.ts';

/** Text of a field that holds one, to be recognised in a sentence. */
const sampleText = 'sample';

test('every type of event has a sentence, without names of the API and without gaps', () => {
  for (const type of eventTypes) {
    const { sentence } = describeEvent(eventOf(type, mayConcernService(type) ? '7' : ''), () => 'web1');
    assert.doesNotMatch(sentence, /undefined|NaN|\[object|[{}]|…/, type);
    assert.ok(
      !sentence.includes(type) && /\p{L}{3}/u.test(sentence.replaceAll(sampleText, '')),
      `${type}: ${sentence}`,
    );
  }
});

test('every type of event leads to what it concerns, unless that is gone', () => {
  const withoutPage = eventTypes.filter((type) =>
    ['7', ''].every((service) => pageOf(eventOf(type, service)) === undefined),
  );
  assert.deepEqual(withoutPage, ['contact.deleted', 'dns.zone.deleted', 'service.terminated']);
});

function eventOf(type: (typeof eventTypes)[number], service: string): Event {
  const data = sampleOf(eventKinds[type].data);
  return { id: '1', type, version: 1, timestamp: '2026-11-15T12:00:00Z', service, data } as Event;
}

/** Returns a value of the schema, with all of its optional members. */
function sampleOf(schema: TSchema): unknown {
  const {
    type,
    properties,
    items,
    enum: choices,
  } = schema as TSchema & {
    type?: string;
    properties?: Record<string, TSchema>;
    items?: TSchema;
    enum?: unknown[];
  };
  if (choices !== undefined) return choices[0];
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sampleOf(member)]));
  if (items !== undefined) return [sampleOf(items)];
  return type === 'integer' ? 1 : sampleText;
}
