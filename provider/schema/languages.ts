/** What the generators of SDKs need to know for each language. */
export const languages = {
  // Its own name: `pulumi-reseller` is the package with the dynamic resources.
  nodejs: {
    packageName: "pulumi-reseller-native",
    dependencies: { "@pulumi/pulumi": "^3.200.0" },
    respectSchemaVersion: true,
  },
  python: { packageName: "pulumi_reseller", pyproject: { enabled: true }, respectSchemaVersion: true },
  go: {
    importBasePath: "pulumi-reseller/sdk/go/reseller",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { namespaces: { reseller: "Reseller" }, packageReferences: { Pulumi: "3.*" }, respectSchemaVersion: true },
  java: { basePackage: "com", buildFiles: "gradle" },
};
