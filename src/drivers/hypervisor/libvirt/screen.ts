// The screen of a machine and its serial line. The emulator has one password for its screen; each viewer gets a new one that
// is good for a minute, which is long enough to log in with and ends nobody's view.
import { once } from 'node:events';
import { connect } from 'node:net';
import { Fault } from '#kernel/fault.ts';
import { randomPassword } from '#kernel/random.ts';
import { domainOpenConsole, domainUpdateDeviceFlags, type Domain } from '#wire/libvirt/procedures.ts';
import type { Screen, TextConsole } from '../driver.ts';
import { isOn, type Session } from './session.ts';
import { at, writeXml } from './xml.ts';

/** The protocol knows no longer ones. */
const passwordLength = 8;
const loginWithinMs = 60_000;
const live = 1;
const takeOver = 1;

export function screenOf(session: Session, address: string): Screen {
  return {
    async open(name, signal) {
      const dom = await running(session, name, signal);
      const graphics = at(await session.describe(dom, 'running', signal), 'devices', 'graphics');
      if (graphics?.attributes['type'] !== 'vnc') throw new Fault('node_error', { internal: `${name} has no screen` });
      const password = randomPassword(passwordLength);
      graphics.attributes['passwd'] = password;
      graphics.attributes['passwdValidTo'] = new Date(Date.now() + loginWithinMs).toISOString().slice(0, 19);
      await session.call(domainUpdateDeviceFlags, { dom, xml: writeXml(graphics), flags: live }, signal);
      const stream = connect({ host: address, port: Number(graphics.attributes['port']), noDelay: true });
      try {
        await once(stream, 'connect', { signal });
      } catch (cause) {
        stream.destroy();
        throw new Fault('node_unreachable', { cause, internal: 'the screen does not answer' });
      }
      return { stream, password };
    },
  };
}

export function textOf(session: Session): TextConsole {
  return {
    async open(name, signal) {
      const dom = await running(session, name, signal);
      return session.openStream(domainOpenConsole, { dom, device: undefined, flags: takeOver }, signal);
    },
  };
}

async function running(session: Session, name: string, signal: AbortSignal): Promise<Domain> {
  const dom = await session.domain(name, signal);
  if (!isOn(dom)) throw new Fault('state_conflict', { message: 'The machine is off: it shows nothing.' });
  return dom;
}
