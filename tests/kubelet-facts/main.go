// Command kubelet-facts prints, as JSON, what the kubelet of one version of Kubernetes knows: its flags, the fields of
// its configuration file and its feature gates. It registers them as cmd/kubelet/app does, without the rest of the
// kubelet. `run.sh` runs it for each version.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"

	"github.com/spf13/pflag"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/featuregate"
	logsapi "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/logs/json/register" // as cmd/kubelet/kubelet.go, for the flags of JSON logs
	"k8s.io/kubelet/config/v1beta1"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	_ "k8s.io/kubernetes/pkg/features"
)

type flag struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	Default    string `json:"default"`
	Deprecated string `json:"deprecated,omitempty"`
	Hidden     bool   `json:"hidden,omitempty"`
	Usage      string `json:"usage"`
}

type field struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

type gate struct {
	Name    string `json:"name"`
	Stage   string `json:"stage"`
	Default bool   `json:"default"`
	Locked  bool   `json:"locked"`
	// The gates that must be on while this one is. The kubelet compares them from 1.35 on.
	Needs []string `json:"needs,omitempty"`
}

func main() {
	result := struct {
		Flags  []flag  `json:"flags"`
		Fields []field `json:"fields"`
		Gates  []gate  `json:"gates"`
	}{flags(), fields(), gates()}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(result); err != nil {
		panic(err)
	}
}

func flags() []flag {
	config, err := options.NewKubeletConfiguration()
	if err != nil {
		panic(err)
	}
	set := pflag.NewFlagSet("kubelet", pflag.ContinueOnError)
	set.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	options.NewKubeletFlags().AddFlags(set)
	options.AddKubeletConfigFlags(set, config)
	options.AddGlobalFlags(set)
	set.BoolP("help", "h", false, "help for kubelet")
	var found []flag
	set.VisitAll(func(f *pflag.Flag) {
		found = append(found, flag{f.Name, f.Value.Type(), f.DefValue, f.Deprecated, f.Hidden, f.Usage})
	})
	return found
}

// dependent is what feature gates of Kubernetes 1.35 and later are.
type dependent interface {
	Dependencies() map[featuregate.Feature][]featuregate.Feature
}

func gates() []gate {
	if err := logsapi.AddFeatureGates(utilfeature.DefaultMutableFeatureGate); err != nil {
		panic(err)
	}
	needs := map[featuregate.Feature][]featuregate.Feature{}
	if gates, ok := any(utilfeature.DefaultMutableFeatureGate).(dependent); ok {
		needs = gates.Dependencies()
	}
	var found []gate
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		stage := string(spec.PreRelease)
		if stage == "" {
			stage = "GA"
		}
		var others []string
		for _, other := range needs[name] {
			others = append(others, string(other))
		}
		sort.Strings(others)
		found = append(found, gate{string(name), stage, spec.Default, spec.LockToDefault, others})
	}
	sort.Slice(found, func(a, b int) bool { return found[a].Name < found[b].Name })
	return found
}

func fields() []field {
	var found []field
	walk(reflect.TypeOf(v1beta1.KubeletConfiguration{}), "", &found)
	sort.Slice(found, func(a, b int) bool { return found[a].Path < found[b].Path })
	return found
}

var marshaler = reflect.TypeFor[json.Marshaler]()

func walk(message reflect.Type, prefix string, found *[]field) {
	for index := 0; index < message.NumField(); index++ {
		member := message.Field(index)
		tag := strings.Split(member.Tag.Get("json"), ",")
		if tag[0] == "-" {
			continue
		}
		if tag[0] == "" {
			walk(member.Type, prefix, found)
			continue
		}
		path := prefix + tag[0]
		kind, inner, suffix := describe(member.Type)
		*found = append(*found, field{path, kind})
		if inner != nil {
			walk(inner, path+suffix+".", found)
		}
	}
}

// describe returns the kind of a type, the message in it, if any, and what a path has between the field and the fields
// of that message.
func describe(of reflect.Type) (kind string, inner reflect.Type, suffix string) {
	if reflect.PointerTo(of).Implements(marshaler) {
		return of.Name(), nil, "" // Duration, Quantity: text or a number, whatever its Go type
	}
	switch of.Kind() {
	case reflect.Pointer:
		return describe(of.Elem())
	case reflect.Slice:
		kind, inner, suffix = describe(of.Elem())
		return "list of " + kind, inner, "[]" + suffix
	case reflect.Map:
		kind, inner, suffix = describe(of.Elem())
		return "map of " + kind, inner, "{}" + suffix
	case reflect.Struct:
		return "message", of, ""
	default:
		return of.Kind().String(), nil, ""
	}
}
