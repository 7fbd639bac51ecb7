"""Checks an ONNX file and works through its graph: evaluate_onnx.py MODEL FEATURES, one number per line."""
import sys

import numpy
import onnx
from onnx import numpy_helper

OPERATIONS = {
    "Sub": numpy.subtract,
    "Div": numpy.divide,
    "MatMul": numpy.matmul,
    "Add": numpy.add,
    "Mul": numpy.multiply,
    "Relu": lambda x: numpy.maximum(x, 0),
    "Sigmoid": lambda x: 1 / (1 + numpy.exp(-x)),
    "Gather": lambda x, index, axis: numpy.take(x, index, axis=axis),
    "Squeeze": lambda x, axes: numpy.squeeze(x, tuple(axes)),
    "Identity": lambda x: x,
}

model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
(declared,) = model.graph.input
sizes = [dim.dim_value for dim in declared.type.tensor_type.shape.dim][1:]
values = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
values[declared.name] = numpy.loadtxt(sys.argv[2]).reshape(-1, *sizes)
for node in model.graph.node:
    attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    inputs = [values[name] for name in node.input]
    values[node.output[0]] = OPERATIONS[node.op_type](*inputs, **attributes)
(result,) = model.graph.output
for number in values[result.name].ravel():
    print(float(number).hex())
