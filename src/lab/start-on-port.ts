// Simulators keep their ports over restarts of the server, if they can.

/** Starts on the given port, or on another one if it is in use. */
export async function startOnPort<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  }
}
