package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The generators for C# and Java are in modules that cannot be had everywhere: those examples are written by hand.
var programs = map[string]func(*pcl.Program) (files, hcl.Diagnostics, error){
	"index.ts":    nodejs.GenerateProgram,
	"__main__.py": python.GenerateProgram,
	"main.go":     golang.GenerateProgram,
}

// An example uses this package and no other.
type onePackage struct {
	noPackages
	pkg *schema.Package
}

func (one onePackage) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return one.pkg.Reference(), nil
}

func (one onePackage) LoadPackageReferenceV2(
	context.Context, *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return one.pkg.Reference(), nil
}

// convert writes the YAML program in a folder in the other languages, beside it.
func convert(folder, schemaFile string) error {
	for file, generate := range programs {
		pkg, err := bind(schemaFile)
		if err != nil {
			return err
		}
		_, program, err := yaml.Eject(folder, onePackage{pkg: pkg})
		if err != nil {
			return err
		}
		made, diagnostics, err := generate(program)
		if err != nil {
			return err
		}
		if diagnostics.HasErrors() {
			return diagnostics
		}
		if err := os.WriteFile(filepath.Join(folder, file), made[file], 0o644); err != nil {
			return err
		}
	}
	return nil
}
