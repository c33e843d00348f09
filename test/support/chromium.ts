// A headless Chromium. It starts slowly on a busy machine, and drops requests whenever the host's addresses change
// (net::ERR_NETWORK_CHANGED), which tests with network namespaces cause: serve pages through `page.route`, and retry
// what is fetched.
import { chromium, type Browser } from 'playwright-core';
import { findBinary } from './needs.ts';

const launchMs = 90_000;
const settings = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-extensions'];

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findBinary('chromium')!, args: settings, timeout: launchMs });
}
