import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTextScreen } from './text-screen.ts';

describe('the text screen', () => {
  it('prints lines, handles backspace and carriage return, and clears', () => {
    const screen = createTextScreen('vm-1');
    screen.print('one\r\ntwx\b \bo\r\nthree\rT');
    assert.deepEqual(screen.text().split('\n').slice(0, 4), ['one', 'two', 'Three', '']);
    screen.clear();
    assert.equal(screen.text().trim(), '');
  });

  it('wraps long lines and scrolls', () => {
    const screen = createTextScreen('vm-1');
    screen.print('x'.repeat(81));
    assert.deepEqual(screen.text().split('\n').slice(0, 2), ['x'.repeat(80), 'x']);
    for (let line = 0; line < 30; line++) screen.print(`\r\nline ${line}`);
    const lines = screen.text().split('\n');
    assert.deepEqual([lines.length, lines.at(0), lines.at(-1)], [25, 'line 5', 'line 29']);
  });

  it('tracks changed bands and notifies listeners until they unsubscribe', () => {
    const screen = createTextScreen('vm-1');
    let notifications = 0;
    const unlisten = screen.listen(() => notifications++);
    const revisions = Array.from({ length: screen.bands }, (_, band) => screen.revision(band));
    screen.print('a');
    const changed = revisions.flatMap((revision, band) => (screen.revision(band) === revision ? [] : [band]));
    assert.deepEqual(changed, [0]);
    unlisten();
    screen.print('b');
    assert.equal(notifications, 1);
  });
});
