const util = process.getBuiltinModule("node:util");

// Node colours the module names in a stack, and takes half a minute and gigabytes for a frame such as
// node_modules/@pulumi/resource.ts, which the SDK's source maps make of its own frames. Errors go without colours.
util.inspect = new Proxy(util.inspect, {
  apply: (inspect, self, [value, options, ...rest]) => {
    const colourless = value instanceof Error && options?.colors ? { ...options, colors: false } : options;
    return Reflect.apply(inspect, self, [value, colourless, ...rest]);
  },
});
