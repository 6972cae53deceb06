type PrepareStackTrace = (error: Error, frames: NodeJS.CallSite[]) => unknown;

// Absent unless something like a source map reader has set it.
const errors: { prepareStackTrace?: PrepareStackTrace } = Error;

/**
 * The engine records in state the line that declares a resource. For a class below `pulumi.dynamic.Resource` it would
 * take the constructor's line in this package: no use to a reader, and a hundred bytes of state for each resource.
 * Leaves the frames of `file` out of stack traces until the returned function is called.
 */
export function leaveOut(file: string): () => void {
  const { prepareStackTrace: prepare } = errors;
  errors.prepareStackTrace = (error, frames) => {
    const shown = frames.filter((frame) => frame.getFileName() !== file);
    return prepare ? prepare(error, shown) : [error, ...shown].map(String).join("\n    at ");
  };
  return () => {
    if (prepare) errors.prepareStackTrace = prepare;
    else delete errors.prepareStackTrace;
  };
}
