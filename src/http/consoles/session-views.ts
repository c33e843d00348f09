// A view of a console session through this process: it ends with the session, or when its viewer is no longer allowed.
import { isConsoleSessionValid, type ConsoleSession } from '#app/servers/console-sessions.ts';
import type { App } from '#app/app.ts';

const checkEveryMs = 5000;

/** Calls `end` once the session is over. Returns the function that stops watching. */
export function watchSession(app: App, session: ConsoleSession, end: () => void): () => void {
  const leave = app.consoleGateway.enter(session.server, end);
  const timer = setInterval(() => {
    isConsoleSessionValid(app, session).then(
      (isValid) => {
        if (!isValid) end();
      },
      // A temporarily unavailable database ends no view.
      () => {},
    );
  }, checkEveryMs).unref();
  return () => {
    clearInterval(timer);
    leave();
  };
}
