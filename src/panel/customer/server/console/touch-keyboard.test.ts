import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysymsBetween, namedKeysym, nextText, placeholder } from './touch-keyboard.ts';

const backspace = 0xff08;

test('text that was entered becomes key presses', () => {
  assert.deepEqual(keysymsBetween('root', 'rootaé'), [0x61, 0xe9]);
  assert.deepEqual(keysymsBetween('', '€\n'), [0x0100_20ac, 0xff0d]);
  assert.deepEqual(keysymsBetween('😀', '😀'), []);
});

test('deleted text becomes Backspace, and a completed word is typed anew', () => {
  assert.deepEqual(keysymsBetween(placeholder, placeholder.slice(1)), [backspace]);
  assert.deepEqual(keysymsBetween('teh', 'the'), [backspace, backspace, 0x68, 0x65]);
});

test('the field never becomes empty or endless', () => {
  assert.equal(nextText(''), placeholder);
  assert.equal(nextText('a'.repeat(300)), placeholder);
  assert.equal(nextText('abc'), 'abc');
});

test('keys without text have a name', () => {
  assert.equal(namedKeysym('ArrowUp'), 0xff52);
  assert.equal(namedKeysym('a'), undefined);
  assert.equal(namedKeysym('toString'), undefined);
});
