// Checks schema.json with the binder of Pulumi's own generators, and writes the SDKs that they make of it.
// With -example it writes a YAML program, docs/examples/<name>, in the languages that they convert to.
//
//	sdks <schema.json> [<folder>]
//	sdks -example <schema.json> <folder of the example>...
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type files = map[string][]byte

// A generator changes the package it is given, so each one gets its own.
var generators = map[string]func(*schema.Package) (files, error){
	"nodejs": func(p *schema.Package) (files, error) {
		return nodejs.GeneratePackage("pulumi-reseller", p, nil, nil, false, noPackages{})
	},
	"python": func(p *schema.Package) (files, error) {
		return python.GeneratePackage("pulumi-reseller", p, nil, noPackages{})
	},
	"go": func(p *schema.Package) (files, error) {
		return golang.GeneratePackage("pulumi-reseller", p, nil)
	},
}

// The schema stands alone: a reference to another package is a mistake in it.
type noPackages struct{ schema.ReferenceLoader }

func (noPackages) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return nil, fmt.Errorf("the schema refers to another package, %s", name)
}

func (noPackages) LoadPackageV2(_ context.Context, of *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, fmt.Errorf("the schema refers to another package, %s", of.Name)
}

func bind(path string) (*schema.Package, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s is not JSON of a schema: %w", path, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, noPackages{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		writer := hcl.NewDiagnosticTextWriter(os.Stderr, nil, 120, false)
		_ = writer.WriteDiagnostics(diagnostics)
		return nil, fmt.Errorf("%s is not valid", path)
	}
	return pkg, nil
}

func write(folder string, made files) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, text := range made {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func run(arguments []string, out io.Writer) error {
	pkg, err := bind(arguments[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "schema: %d resources, %d functions, %d types\n", len(pkg.Resources), len(pkg.Functions), len(pkg.Types))
	if len(arguments) == 1 {
		return nil
	}
	for language, generate := range generators {
		pkg, err := bind(arguments[0])
		if err != nil {
			return err
		}
		made, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := write(filepath.Join(arguments[1], language), made); err != nil {
			return err
		}
		fmt.Fprintf(out, "sdks: %s, %d files\n", language, len(made))
	}
	return nil
}

func main() {
	if len(os.Args) > 3 && os.Args[1] == "-example" {
		for _, folder := range os.Args[3:] {
			if err := convert(folder, os.Args[2]); err != nil {
				fmt.Fprintf(os.Stderr, "sdks: %s: %v\n", folder, err)
				os.Exit(1)
			}
		}
		return
	}
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: sdks <schema.json> [<folder>]")
		os.Exit(2)
	}
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sdks:", err)
		os.Exit(1)
	}
}
